"""What a run is asked for: sources, parameters, methods by name, and the plan."""
