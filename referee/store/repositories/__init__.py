"""What is kept, by what it is about."""
