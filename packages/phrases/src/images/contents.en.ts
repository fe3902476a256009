/** The contents of registries: repositories, tags, their deletion and their uses. */
export const en = {
  // Refusals
  'images-tag-invalid': 'A tag has letters, digits, - _ and dots, at most 128',
  'images-digest-invalid': 'A digest looks like sha256: and 64 hexadecimal digits',
  'images-tags-required': 'Choose at least one tag',
  'images-days-range': 'Enter 1 to 3650 days',
  'images-tag-gone': 'The tag {tag} does not exist any more. Refresh the list.',
  'images-tag-changed':
    'The tag {tag} names another image than the one that you confirmed: it was pushed again. Refresh the list and look at it first.',
  'images-tag-together':
    'The image of the tag {tag} has more tags, which would be deleted with it: {tags}. Choose them too, or keep the image.',
  'images-tag-part': 'The image of the tag {tag} is one of the platforms of {tags}. Delete these first.',
  'images-tag-used':
    'The image {image} runs in, or may be returned to by, these services or Helm releases: {services}. Change them first.',
  'images-tag-used-by-others':
    'The image {image} is used by {count} {count:service or Helm release|services or Helm releases} of other teams, and cannot be deleted.',
  'images-tag-used-and-by-others':
    'The image {image} runs in, or may be returned to by, these services or Helm releases: {services}, and {count} of other teams. Change them first.',
  'images-tags-too-many':
    'It cannot be seen which tags go with an image: the repository has more than {count} {count:tag|tags}, or the registry lists the same ones again and again. Delete tags with the tools of the registry.',

  // Repositories
  'images-ui-repos-about': 'What lies in the registries that the team uses, and which services run it',
  'images-ui-repos-of': 'What lies in this registry, and which services run it',
  'images-ui-registry': 'Registry',
  'images-ui-registry-all': 'all registries',
  'images-ui-repository': 'Repository',
  'images-ui-repos-search': 'Search repositories',
  'images-ui-repos-none': 'No repositories yet',
  'images-ui-repos-none-memo': 'Repositories appear here as soon as an image is pushed to the registry.',
  'images-ui-used-by': 'Used by',
  'images-ui-used-nobody': 'nothing',
  'images-ui-used-running': '{count} {count:service|services}',
  'images-ui-used-more': '{names} and {count} more',
  'images-ui-used-back': '{count} may return to it',
  'images-ui-used-others': '{count} of other teams',
  'images-ui-unread': '{name} cannot be listed.',
  'images-ui-by-name': 'Open a repository by its name',
  'images-ui-by-name-help': 'The path of the repository in the registry, in lowercase: for example team/app',
  'images-ui-by-name-open': 'Open',

  // Tags
  'images-ui-show': 'Show image',
  'images-ui-tag': 'Tag',
  'images-ui-tags-search': 'Search tags',
  'images-ui-tags-none': 'No tags',
  'images-ui-tags-none-memo': 'The repository has no tags, or does not exist in this registry.',
  'images-ui-digest': 'Digest',
  'images-ui-size': 'Size',
  'images-ui-made': 'Made',
  'images-ui-made-unknown': 'The image does not say when it was made',
  'images-ui-platforms': 'Platforms',
  'images-ui-image-name': 'Image name',
  'images-ui-pull': 'Pull command',
  'images-ui-type-chart': 'Helm chart',
  'images-ui-type-other': 'Other content',
  'images-ui-layers': 'Layers',
  'images-ui-layer': 'Layer',
  'images-ui-layer-by': 'Made by',
  'images-ui-layer-by-unknown': 'The image does not say',
  'images-ui-layer-nothing': 'no files',
  'images-ui-platform': 'Platform',
  'images-ui-uses': 'Who uses it',
  'images-ui-uses-none': 'No service or Helm release that you may see runs this image or may return to it.',
  'images-ui-uses-services': 'Runs in',
  'images-ui-uses-revisions': 'May be returned to by',
  'images-ui-uses-revision': '{name}, revision {revision}',
  'images-ui-uses-pipelines': 'Pushed by',
  'images-ui-uses-builds': 'Made by',
  'images-ui-uses-build': '{name} #{number}',
  'images-ui-uses-others': 'Other teams',

  // Deletion
  'images-ui-tag-delete-title': 'Delete the image of {tag}?',
  'images-ui-tags-delete': 'Delete tags',
  'images-ui-tags-delete-checking': 'Looking at every tag of the repository, to see what goes with these…',
  'images-ui-tags-delete-goes': '{count} {count:tag is|tags are} deleted',
  'images-ui-tags-delete-stays': '{count} {count:tag stays|tags stay}',
  'images-ui-tags-delete-none': 'None of these tags can be deleted',
  'images-ui-tags-delete-with': 'goes with {tag}',
  'images-ui-tags-deleted': '{count} {count:tag was|tags were} deleted',
  'images-ui-tags-retry': 'Retry {count} that failed',
  'images-ui-unused': 'Delete unused tags',
  'images-ui-unused-about':
    'Offers tags that no service runs or may return to, and that were neither made, pushed by a build nor deployed in the last days. Nothing is deleted before you have seen the list.',
  'images-ui-unused-days': 'Unused for days',
  'images-ui-unused-look': 'Look for unused tags',
  'images-ui-unused-looking': 'Looked at: {looked} of {total}. Unused: {found}.',
  'images-ui-unused-none': 'No tag has been unused for that long.',
  'images-ui-unused-ageless':
    '{count} {count:tag does|tags do} not say when {count:it was|they were} made, and {count:is|are} left out.',
  'images-ui-unused-at': 'Last used',
}
