"""What is kept of games for those who look at them afterwards, and how a record proves itself."""
