export const en = {
  'registry-url-invalid':
    'This is not the address of a registry. It must look like https://host or https://host:port, without a path.',
  'registry-wrong-password': '{host} refuses this user name and password. Check them.',
  'registry-password-needed': '{host} asks for a user name and password. Enter them.',
  'registry-forbidden': '{host} does not allow this user to do that. Ask those who run it for the right.',
  'registry-not-one': 'What answers at {host} is not an image registry. Check the address and the port.',
  'registry-realm':
    '{host} sends sign-ins to {realm} without encryption, so the password was not sent. Have its token address changed to https.',
  'registry-error': '{host} reports an error of its own (status {status}). Try again later, or ask those who run it.',
  'registry-busy': '{host} has too many requests. Try again in a minute.',
  'registry-resting': '{host} has failed several times in a row and is left alone for {seconds} s. Try again then.',
  'registry-image-unknown': 'There is no image {image} at {host}. Check its name and tag, or push it first.',
  'registry-image-invalid': 'This is not a valid name of an image. It looks like team/service:1.0, in lower case.',
  'registry-image-broken': 'The image {image} is incomplete or of a kind that cannot be shown. Push it again.',
  'registry-wrong-digest':
    '{host} answered with other bytes than were asked for. Ask those who run it to check its storage.',
  'registry-no-catalogue':
    '{host} does not tell which repositories it has (status {status}). Enter the name of the repository.',
  'registry-no-deletion': '{host} does not allow images to be deleted. Ask those who run it to turn deletion on.',
} as const
