export const en = {
  'junit-invalid':
    'The test report is not a JUnit XML file: see line {line}, column {column}. It must start with testsuites or testsuite, without DTD or entities.',
  'junit-too-large': 'The test report is larger than {limit}. Split it into several files.',
} as const
