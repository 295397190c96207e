"""A worker: python -m riverboat.services.trainer.worker."""
