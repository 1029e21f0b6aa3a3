"""The command line: its options, its two languages, and what it writes to people, pipes and programs."""
