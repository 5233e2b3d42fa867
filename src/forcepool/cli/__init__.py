"""The command line: every act and every answer from a terminal, as text for people and as JSON for programs."""
