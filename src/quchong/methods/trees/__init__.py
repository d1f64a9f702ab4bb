"""Methods that compare structure trees."""
