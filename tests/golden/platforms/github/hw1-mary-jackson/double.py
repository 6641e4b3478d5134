"""Homework 1."""


def double(x):
    return 2 * x
