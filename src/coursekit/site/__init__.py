"""The bilingual book: its build, its language switch, its checks and the server that shows it."""
