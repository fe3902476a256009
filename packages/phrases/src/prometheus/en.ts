/** What goes wrong between the product and a Prometheus. */
export const en = {
  'prometheus-credentials':
    'The Prometheus at {host} refuses the credentials. An administrator can enter others in the metrics settings of the cluster',
  'prometheus-forbidden':
    'The Prometheus at {host} does not allow these credentials to query. Ask those who run it for the right to read',
  'prometheus-not-one':
    'What answers at {host} has no query API of Prometheus. Check the address, with the path under which Prometheus is served',
  'prometheus-refused': 'The Prometheus at {host} refused the query: {reason}',
  'prometheus-slow':
    'The Prometheus at {host} needed too long for this query. Choose a shorter time, or try again later',
  'prometheus-error': 'The Prometheus at {host} reports an error (status {status}): {reason}. Ask those who run it',
  'prometheus-resting':
    'The Prometheus at {host} has failed several times in a row and is left alone for {seconds} s. Charts come back by themselves once it answers',
} as const
