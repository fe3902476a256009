import { expect, test } from 'vitest'
import { commitPage } from './commit-page.ts'

test.for([
  ['https://github.com/acme/web.git', 'https://github.com/acme/web/commit/abc'],
  ['https://me:secret@git.example.com:3000/acme/web/', 'https://git.example.com:3000/acme/web/commit/abc'],
  ['http://gitea.lan/acme/web', 'http://gitea.lan/acme/web/commit/abc'],
  ['git@github.com:acme/web.git', 'https://github.com/acme/web/commit/abc'],
  ['ssh://git@git.example.com:2222/acme/web.git', 'https://git.example.com/acme/web/commit/abc'],
  ['http://127.0.0.1:8080/git/one.git', undefined],
  ['http://localhost:8080/git/one.git', undefined],
  ['nowhere', undefined],
])('the page of a commit of %s is %s', ([repository, page]) => {
  expect(commitPage(repository ?? '', 'abc')).toBe(page)
})
