-- Finds the runs of a test case by its name, which may be longer than an index takes.
create index build_test_case_named on build_test_case (md5(name), build_id);
