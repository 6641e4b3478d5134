"""Homework 1."""


def double(x):
    return x + 2
