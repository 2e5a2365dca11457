import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * The object store of the tests, in a process of its own:
 * `node s3Process.mjs PORT BUCKET KEY SECRET REGION`. It answers the requests that Caretaker makes
 * as the reference of S3 describes them: objects are put whole, under a condition, with their MD5
 * compared; they are copied, read, listed in pages and deleted. Every request has to be signed
 * (Signature Version 4), and is refused as S3 refuses it. Objects are in memory. A message
 * `{ age: [key, milliseconds] }` makes an object older.
 */
const [port, bucket, accessKey, secret, region] = process.argv.slice(2)

/** Objects by key: their bytes, when they were stored, and the headers that come back with them. */
const objects = new Map()

/** As S3 gives at most. */
const keysOnPage = 1_000
/** Milliseconds that clocks may differ. */
const skew = 15 * 60_000

class Refusal extends Error {
  constructor(status, code, message = code) {
    super(message)
    this.status = status
    this.code = code
  }
}

const sha256 = (data) => createHash('sha256').update(data).digest('hex')
const md5 = (data) => createHash('md5').update(data)
const hmac = (key, text) => createHmac('sha256', key).update(text).digest()
/** Percent-encoding of RFC 3986, as signatures have it. */
const encoded = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
const escaped = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c])
const isSame = (a, b) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** Checks who signed the request and that nothing of it was changed. Throws Refusal. */
function requireSignature(req, url, body) {
  const { authorization = '' } = req.headers
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (!parts) throw new Refusal(403, 'AccessDenied')
  const [, credential, signedHeaders, signature] = parts
  const [key, day, signedRegion, service, end] = credential.split('/')
  if (key !== accessKey) throw new Refusal(403, 'InvalidAccessKeyId')
  if (signedRegion !== region || service !== 's3' || end !== 'aws4_request')
    throw new Refusal(400, 'AuthorizationHeaderMalformed')
  const at = req.headers['x-amz-date'] ?? ''
  const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!at.startsWith(day) || !(Math.abs(time - Date.now()) <= skew))
    throw new Refusal(403, 'RequestTimeTooSkewed')
  const names = signedHeaders.split(';')
  const mustBeSigned = Object.keys(req.headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (!mustBeSigned.every((name) => names.includes(name))) throw new Refusal(403, 'AccessDenied')
  const digest = req.headers['x-amz-content-sha256'] ?? ''
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const canonical = [
    req.method,
    decodeURIComponent(url.pathname).split('/').map(encoded).join('/'),
    query.join('&'),
    ...names.map(
      (name) =>
        `${name}:${String(req.headers[name] ?? '')
          .trim()
          .replace(/\s+/g, ' ')}`,
    ),
    '',
    signedHeaders,
    digest,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = `AWS4-HMAC-SHA256\n${at}\n${scope}\n${sha256(canonical)}`
  const signingKey = scope.split('/').reduce((signed, part) => hmac(signed, part), `AWS4${secret}`)
  if (!isSame(hmac(signingKey, toSign).toString('hex'), signature))
    throw new Refusal(403, 'SignatureDoesNotMatch')
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== sha256(body))
    throw new Refusal(400, 'XAmzContentSHA256Mismatch')
}

const tagOf = ({ bytes }) => `"${md5(bytes).digest('hex')}"`

function stored(key) {
  const found = objects.get(key)
  if (!found) throw new Refusal(404, 'NoSuchKey')
  return found
}

/** What is kept of a request's headers and sent back with the object. */
const keptHeaders = (headers) =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) =>
        name === 'content-type' ||
        name.startsWith('x-amz-meta-') ||
        name.startsWith('x-amz-server-side-encryption'),
    ),
  )

function put({ headers }, key, bytes) {
  const { 'content-md5': sum } = headers
  if (headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength')
  if (sum !== undefined && sum !== md5(bytes).digest('base64')) throw new Refusal(400, 'BadDigest')
  if (headers['if-none-match'] === '*' && objects.has(key)) throw new Refusal(412, 'PreconditionFailed')
  const object = { bytes, at: Date.now(), headers: keptHeaders(headers) }
  objects.set(key, object)
  return { headers: { etag: tagOf(object) } }
}

/** The copy keeps the headers of what is copied, apart from those of its encryption. */
function copy({ headers }, key) {
  const from = /^\/?([^/]+)\/(.+)$/.exec(decodeURIComponent(headers['x-amz-copy-source']))
  if (from?.[1] !== bucket) throw new Refusal(404, 'NoSuchBucket')
  const source = stored(from[2])
  const encryption = Object.entries(keptHeaders(headers)).filter(([name]) => name.includes('encryption'))
  const object = {
    ...source,
    at: Date.now(),
    headers: { ...source.headers, ...Object.fromEntries(encryption) },
  }
  objects.set(key, object)
  const parts = `<ETag>${escaped(tagOf(object))}</ETag><LastModified>${new Date(object.at).toISOString()}</LastModified>`
  return xml(`<CopyObjectResult>${parts}</CopyObjectResult>`)
}

function get(key) {
  const object = stored(key)
  const { bytes, at } = object
  const headers = { ...object.headers, etag: tagOf(object), 'last-modified': new Date(at).toUTCString() }
  return { headers, body: bytes }
}

/** A page of keys in the order of their bytes; the token is the last key of the page before. */
function list({ searchParams }) {
  if (searchParams.get('list-type') !== '2') throw new Refusal(400, 'InvalidArgument')
  const prefix = searchParams.get('prefix') ?? ''
  const token = searchParams.get('continuation-token')
  const after = token === null ? '' : Buffer.from(token, 'base64url').toString()
  const most = Math.min(Number(searchParams.get('max-keys') ?? keysOnPage), keysOnPage)
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const page = keys.slice(0, most)
  const isTruncated = keys.length > page.length
  const contents = page.map((key) => {
    const object = objects.get(key)
    const at = new Date(object.at).toISOString()
    return `<Contents><Key>${escaped(key)}</Key><LastModified>${at}</LastModified><ETag>${escaped(tagOf(object))}</ETag><Size>${object.bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`
  })
  const next = isTruncated
    ? `<NextContinuationToken>${Buffer.from(page.at(-1)).toString('base64url')}</NextContinuationToken>`
    : ''
  const head = `<Name>${bucket}</Name><Prefix>${escaped(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>`
  return xml(
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${head}${next}${contents.join('')}</ListBucketResult>`,
  )
}

const xml = (body) => ({
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`),
})

function answerTo(req, url, body) {
  requireSignature(req, url, body)
  const [, name = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decodeURIComponent(url.pathname)) ?? []
  if (name !== bucket) throw new Refusal(404, 'NoSuchBucket')
  if (key === '') {
    if (req.method !== 'GET' && req.method !== 'HEAD') throw new Refusal(405, 'MethodNotAllowed')
    return req.method === 'HEAD' ? {} : list(url)
  }
  if (req.method === 'PUT') return req.headers['x-amz-copy-source'] ? copy(req, key) : put(req, key, body)
  if (req.method === 'GET' || req.method === 'HEAD') return get(key)
  if (req.method !== 'DELETE') throw new Refusal(405, 'MethodNotAllowed')
  objects.delete(key)
  return { status: 204 }
}

/** An error as S3 writes it; a HEAD has no body to say it in. */
function refused({ status, code, message }, url, requestId) {
  const resource = escaped(decodeURIComponent(url.pathname))
  const said = `<Code>${code}</Code><Message>${escaped(message)}</Message><Resource>${resource}</Resource><RequestId>${requestId}</RequestId>`
  return { status, ...xml(`<Error>${said}</Error>`) }
}

const server = http.createServer(async (req, res) => {
  const url = new URL(req.url, `http://${req.headers.host}`)
  const requestId = randomUUID()
  let answer
  try {
    answer = answerTo(req, url, await buffer(req))
  } catch (error) {
    if (req.destroyed && !req.complete) return
    answer = refused(
      error instanceof Refusal ? error : new Refusal(500, 'InternalError', String(error)),
      url,
      requestId,
    )
  }
  const { status = 200, headers = {}, body = Buffer.alloc(0) } = answer
  const size = status === 204 ? {} : { 'content-length': body.length }
  res.writeHead(status, { 'x-amz-request-id': requestId, ...headers, ...size })
  res.end(req.method === 'HEAD' ? undefined : body)
})

process.on('message', ({ age: [key, ms] }) => {
  stored(key).at -= ms
  process.send('aged')
})

server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
