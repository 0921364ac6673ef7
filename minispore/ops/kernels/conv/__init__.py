"""Convolution: two and three dimensions, its gradients, and the layouts that it is computed in."""
