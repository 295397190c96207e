"""A worker: python -m services.trainer.worker."""
