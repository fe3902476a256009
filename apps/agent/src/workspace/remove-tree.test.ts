import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeTree } from './remove-tree.ts'

let home: string
let tree: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gantry-tree-'))
  tree = join(home, 'trée')
  mkdirSync(tree)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const shell = (text: string): string => execFileSync('/bin/sh', ['-ec', text], { cwd: tree, encoding: 'utf8' })

test('a tree that is deeper than the longest possible path is removed', async () => {
  shell(
    'name=$(printf %0200d 0); mkdir $name; for i in $(seq 1 60); do mkdir up; : > up/file; mv $name up/; mv up $name; done',
  )
  await removeTree(tree)
  expect(existsSync(tree)).toBe(false)
})

test('names that are not UTF-8, and folders without permissions, are removed', async () => {
  mkdirSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff, 0xfe])]))
  writeFileSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff, 0xfe, 0x2f, 0xc3])]), '')
  mkdirSync(join(tree, 'locked/inner'), { recursive: true })
  writeFileSync(join(tree, 'locked/inner/file'), '')
  chmodSync(join(tree, 'locked/inner'), 0)
  chmodSync(join(tree, 'locked'), 0o555)
  await removeTree(tree)
  expect(existsSync(tree)).toBe(false)
})

test('a link is removed, but not its target', async () => {
  mkdirSync(join(home, 'else'))
  writeFileSync(join(home, 'else/file'), 'kept')
  symlinkSync(join(home, 'else'), join(tree, 'link'))
  await removeTree(tree)
  expect(existsSync(tree)).toBe(false)
  expect(readFileSync(join(home, 'else/file'), 'utf8')).toBe('kept')
})

test('a missing tree counts as removed', async () => {
  await removeTree(join(home, 'nothing'))
  expect(existsSync(join(home, 'nothing'))).toBe(false)
})
