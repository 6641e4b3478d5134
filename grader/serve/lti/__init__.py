"""LTI 1.3: people launch from Canvas, Moodle or Open edX, and marks go back by themselves.

    extension     what `grader serve --lti` adds to the server
    launch        login and launch, the choice of an assignment; who comes, and to what
    registration  a platform becomes known: by one address, or by the command line
    scores        the queue of marks, and who sends it
    pages         what a teacher sees: scores, courses, people
    claims        what a platform says, typed and checked
    records       the tables in `serve.db`
    keys          this server's keys, and the platforms'
    net           requests to a platform, and nowhere else

It stands on `grader.serve`, which doesn't know it. Its packages are the extra `lti`.
"""
