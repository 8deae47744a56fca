"""Practice evenings, shipped as documents of sample data, which the services of a real evening made."""
