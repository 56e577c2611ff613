"""Pictures of heaps of packs, drawn with real symbols."""
