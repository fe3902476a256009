/** Steps that send something: mails, copies of images. */
export const en = {
  'pipelines-ui-step-mail': 'Email',
  'pipelines-ui-step-copy': 'Copy of an image',
  'pipelines-ui-mail-to': 'Recipients',
  'pipelines-ui-mail-to-help': 'User names of members of the team, or email addresses.',
  'pipelines-ui-mail-subject': 'Subject',
  'pipelines-ui-mail-text': 'Text',
  'pipelines-ui-mail-text-help':
    'Here and in the subject {output} stands for an output and {variable} for a variable. With a secret in it the email is not sent.',
  'pipelines-ui-copy-registry': 'Registry of the image',
  'pipelines-ui-copy-image': 'Image',
  'pipelines-ui-copy-image-help': 'As path:tag or path@digest; {output} stands for what an image step has pushed.',
  'pipelines-ui-copy-target': 'Registry to copy to',
  'pipelines-ui-copy-target-help': 'One of the team’s registries. All platforms of the image are copied.',
  'pipelines-lint-mail-recipient':
    'The step {step} sends to {name}, who is no member of the team with an email address. Choose another recipient.',
  'pipelines-mail-off': 'The platform sends no email. Ask an administrator to set up the mail server.',
  'pipelines-mail-unknown':
    'Not members of the team with an email address: {names}. Choose other recipients in the step.',
  'mail-step-to': 'Enter at least one user name or email address, each of at most 254 characters.',
  'mail-step-subject': 'Enter a subject of at most 200 characters on one line.',
  'mail-step-text': 'Enter the text of the email.',
  'mail-step-signature':
    'Sent by build #{number} of the pipeline {pipeline} of the team {team} in {product}. Please do not reply.',
  'copy-from': 'Enter the image as path:tag or path@digest, at most 500 characters without spaces.',
}
