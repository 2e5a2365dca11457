'use strict'
const { createHash, randomUUID } = require('node:crypto')
const { mkdirSync, renameSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { buffer } = require('node:stream/consumers')
const S3rver = require('s3rver')
const Store = require('s3rver/lib/stores/filesystem')

/**
 * The S3 server of the tests, in a process of its own: `node s3Process.cjs folder port bucket`. Stores answer and
 * replace whole objects; s3rver by itself writes into the file that somebody else reads, and answers before it is full.
 */
const [folder, port, bucket] = process.argv.slice(2)

let last = Promise.resolve()
const inTurn = (act) => {
  const done = last.then(act)
  last = done.catch(() => undefined)
  return done
}

const { getObject, copyObject, deleteObject } = Store.prototype
for (const act of [getObject, copyObject, deleteObject]) {
  Store.prototype[act.name] = function (...asked) {
    return inTurn(() => act.apply(this, asked))
  }
}

Store.prototype.putObject = async function ({ bucket, key, content, metadata }) {
  const bytes = Buffer.isBuffer(content) ? content : await buffer(content)
  const md5 = createHash('md5').update(bytes).digest('hex')
  await inTurn(() => {
    const file = this.getResourcePath(bucket, key, 'object')
    const arrived = path.join(this.rootDirectory, randomUUID())
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(arrived, bytes)
    renameSync(arrived, file)
    return this.putMetadata(bucket, key, metadata, md5)
  })
  return { size: bytes.length, md5 }
}

const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  silent: true,
  directory: folder,
  configureBuckets: [{ name: bucket }],
})
server.run().then(({ port }) => process.stdout.write(`${port}\n`))
