"""What makes the course out of its parts: the bilingual site, the labs and, later, their grading."""
