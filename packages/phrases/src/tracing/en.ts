/** Traces and the service mesh of a stack: texts of the server. */
export const en = {
  'tracing-credentials':
    'The {server} at {host} rejected the credentials. An administrator can enter others in the traces and mesh settings of the cluster.',
  'tracing-forbidden':
    'The {server} at {host} does not allow reading with these credentials. Ask its administrator for read permission.',
  'tracing-not-one':
    'The server at {host} has no API of {server}. Check the address, including the path under which {server} is available.',
  'tracing-error': 'The {server} at {host} reported an error (status {status}). Ask its administrator.',
  'tracing-resting':
    'The {server} at {host} has failed several times in a row, so requests to it are paused for {seconds} {seconds:second|seconds}. The page fills again once it recovers.',
  'tracing-jaeger-down':
    'The trace server of this cluster is not responding properly. Administrators can see the reason. Traces return once it recovers.',
  'tracing-kiali-down':
    'The mesh server of this cluster is not responding properly. Administrators can see the reason. The graph returns once it recovers.',
  'tracing-too-large':
    'These traces are too large to be read at once. Choose a shorter time range, a single service or fewer traces.',
  'tracing-slow':
    'Not every service was searched: the trace server takes too long. Choose a single service or a shorter time range.',
  'tracing-many-services':
    'Jaeger knows more services than one search covers: {count} were searched. Choose a service to search it alone.',
  'tracing-duration': 'A duration must be a whole number of microseconds, at most a day',
  'tracing-duration-order': 'The longest duration must not be below the shortest',
  'tracing-tags':
    'Enter tags as key=value, apart by spaces, with quotes around a value that has spaces: at most 10 of them',
  'tracing-limit': 'Between 1 and 100 traces can be read at once',
  'tracing-id': 'A trace is known by up to 32 digits and letters from a to f',
  'tracing-minutes': 'Choose one of the offered time ranges',
}
