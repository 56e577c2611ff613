"""What other systems tell us in messages: kept, judged, done or held until somebody decides."""
