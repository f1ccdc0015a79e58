"""The archive: what is stored of games for later readers, and how a record proves itself."""
