-- A report need not say how long a case took, or says it in no readable number: that is unknown, and not 0 s.
alter table build_test_case alter column seconds drop not null;
alter table build_attempt_test_case alter column seconds drop not null;
