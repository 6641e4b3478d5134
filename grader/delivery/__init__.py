"""Grading where students hand in: CI and Gradescope.

tame_git           git on a handed-in repository, with our configuration and no other
git_changes        what changed in a repository, and since when
ci                 what `grader ci` checks or grades, and what it reports to GitHub
autograder         one submission, graded by itself: the program inside a Gradescope image
gradescope_bundle  makes the zip for such an image, from `templates`
"""
