"""Submissions that come as files, by mail or from a learning management system, and feedback that goes back so."""
