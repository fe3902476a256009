/** The catalogue of preset services. */
export const en = {
  'catalog-name-taken': 'There already is a preset service named {name}. Choose another name.',
  'catalog-changed': '{by} has changed the preset service {name} in the meantime. Reload and make your change again.',
  'catalog-used-meanwhile': 'A team has just deployed {name}. Reload to see which one.',
  'catalog-tag-taken': 'There already is a tag named {name}. Choose another name.',
  'catalog-tag-in-use':
    '{count} {count:preset service has|preset services have} the tag {name}, so that it is in use and cannot be deleted. Take it from {count:it|them} first.',
  'catalog-tag-gone': 'One of the tags has been deleted in the meantime. Reload and choose again.',
  'catalog-team-gone': 'One of the teams has been deleted in the meantime. Reload and choose again.',
  'catalog-version-taken':
    'Duplicate version number: the preset service already has a version {version}. Choose another one.',
  'catalog-version-in-use':
    'The stack {stack} of the team {team} runs {name}, so that it is in use and cannot be deleted. Make it a draft to have no more stacks of it.',
  'catalog-source':
    'Name what is to be deployed: either a version of a product (blueprintId), or one of a preset service (templateId)',
  'catalog-shipped-postgresql':
    'A relational database. One instance with a volume of its own; asks for the password of the owner of its database.',
  'catalog-shipped-mariadb':
    'A relational database that speaks MySQL. One instance with a volume of its own; asks for the password of the owner of its database.',
  'catalog-shipped-redis':
    'A store of keys and values in memory, for caches and sessions. One instance that keeps its data on a volume and asks for a password.',
  'catalog-shipped-nats':
    'Messages between services, with streams that are kept. One instance with a volume of its own; asks for the password of its user.',
}
