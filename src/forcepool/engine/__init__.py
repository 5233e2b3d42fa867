"""The core that no game knows about: state, events, commands, decisions, and the journal they make."""
