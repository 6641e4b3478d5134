"""Homework 1, in two files."""


def double(x):
    return x * 2
