/** The configuration centre: projects, profiles with their keys, templates, and the services that read them. */
export const en = {
  // Refusals
  'config-template-name-format':
    'The name of a template is that of a file: letters, digits, dots, hyphens and underscores',
  'config-value-too-long': 'A value has at most 65,536 characters',
  'config-value-too-large':
    'The value of {key} is larger than {limit} bytes. Keep it as a file of the service instead.',
  'config-template-too-long': 'A template has at most 262,144 characters',
  'config-project-taken': 'The team already has a configuration project named {name}. Choose another name.',
  'config-profile-taken': 'The project {project} already has a profile named {name}. Choose another name.',
  'config-template-taken': 'The project {project} already has a template named {name}. Choose another name.',
  'config-key-taken': '{profile} already has the key {key}. Change its value instead.',
  'config-key-gone': '{profile} has no key {key} any more. Add it again if you need it.',
  'config-key-changed':
    '{by} has changed {key} since you opened it. It is now: {value}. Open it again, then make your change.',
  'config-profile-changed':
    '{by} has changed the profile {name} since you opened it; it is at revision {revision}. Open it again, then make your change.',
  'config-template-changed':
    '{by} has changed the template {name} since you opened it; it is at revision {revision}. Open it again, then make your change.',
  'config-in-use':
    '{name} is read by {count} {count:service|services}: {services}. Choose another configuration in them first. A service that can still be rolled back counts too.',
  'config-name-in-use':
    '{count} {count:service names|services name} {name} and could not find it by another name: {services}. Clone the project, or choose another configuration in these services first.',
  'config-read-meanwhile': 'The service {service} has begun to read this configuration at this moment. Try again.',
  'config-profile-unknown':
    'There is no configuration {project}/{profile} in this team. Choose one that there is, or create it.',
  'config-template-unknown':
    'The configuration project {project} has no template {template}. Choose one that there is, or create it.',
  'config-keys-missing':
    'The template {template} of the service {service} needs keys that {profile} does not have: {keys}. Add these first, or take them out of the template.',
  'config-files-too-large':
    'The files of the service {service} would be {size} bytes together. Kubernetes takes at most {limit}. Shorten templates or values.',
  'config-rendered-too-large':
    'With the values of {profile}, the template {template} is too large to be shown. Shorten it, or the values.',
  'config-mask-without-secret':
    'The asterisks stand for a stored secret value, and {key} has none. Enter the value itself.',
  'config-mask-not-plain': 'To show {key} from now on, enter its value: the stored one is never shown.',

  'config-return-same': 'The keys are what they were at revision {revision} already: there is nothing to return to.',

  // Limits
  'config-projects-limit': 'A team has at most {limit} configuration projects. Delete one that is not used.',
  'config-profiles-limit':
    'A project has at most {limit} profiles. Delete one that is not used, or start another project.',
  'config-keys-limit': 'A profile has at most {limit} keys. Split the project into several.',
  'config-values-limit':
    'The keys and values of a profile have at most {limit} bytes together, and these have {size}. Split the project into several.',
  'config-templates-limit': 'A project has at most {limit} templates. Delete one that is not used.',
  'config-template-set-limit':
    'The templates of a project have at most {limit} bytes together, and these have {size}. Shorten or delete some.',

  // Files that are imported
  'config-import-name':
    'Import file format wrong: {name} is not a .properties, .yaml or .yml file. Choose a file with one of these endings.',
  'config-import-encoding': 'Import file format wrong: the file is not UTF-8 text. Save it as UTF-8.',
  'config-import-yaml':
    'Import file format wrong in line {line}: only keys with texts, or keys under keys, have a place here; no lists and no references.',
  'config-import-escape':
    'Import file format wrong in line {line}: after a backslash and u there are four hexadecimal digits.',
  'config-import-key':
    'Import file format wrong in line {line}: “{key}” is not a key. A key has letters, digits, hyphens, underscores and dots, and does not begin with a digit.',
  'config-import-twice': 'Import file format wrong in line {line}: the key {key} is there twice.',
  'config-import-value':
    'Import file format wrong in line {line}: the value of {key} is larger than 65,536 bytes, or holds a null character.',
  'config-import-mask':
    'Import file format wrong in line {line}: the asterisks stand for a stored secret value, and {key} has none here. Write the value itself, or take the line out.',
}
