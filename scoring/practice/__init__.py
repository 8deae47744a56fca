"""Practice evenings, shipped as documents: sample data that was once made by the services of a real evening."""
