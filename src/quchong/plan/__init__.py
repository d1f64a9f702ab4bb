"""What a run is asked for: sources, parameters, method and plan."""
