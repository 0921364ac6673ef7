"""Exact answers: the loss scale counted naively, the nodes of a tree run one by one, networks in float64."""
