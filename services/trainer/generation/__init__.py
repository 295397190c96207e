"""The generation of samples: jobs, the queue they wait in, the workers that do them, and the store for the shards."""
