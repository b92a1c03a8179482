import type { Words } from '../annotate.ts'
import { SCHEMA_WORD } from './common.ts'

const VARIABLE = 'Name of the environment variable'

export const COLLECTIONS_WORDS: Words = {
  '': 'Collections of documents that the semantic probe asks. Vectors are made from the documents and can be deleted at any time.',
  $schema: SCHEMA_WORD,
  embedder: {
    text: 'Name of the embedder that the workspace prescribes. Left out: that of the settings.',
    examples: ['minilm'],
  },
  collections: {
    text: 'The collections, in the order in which they are shown.',
    snippets: [
      {
        label: 'collection',
        description: 'A collection of documents in folders of the workspace',
        body: [{ name: '$1', title: '$2', paths: ['docs'] }],
      },
    ],
  },
  'collections[].name': {
    text: 'Name in small letters, digits, _ and -, at most 100. No name stands twice.',
    examples: ['notes'],
  },
  'collections[].title': 'Title, as lists show it. Left out: the name.',
  'collections[].paths': {
    text: 'Folders and files of documents, from the folder of the workspace. Markdown, text, code and JSONL are read.',
    examples: [['docs', 'notes/2026']],
  },
  'collections[].persona':
    'Persona that a hit of this collection brings: the name of a file of profiles/personas/. `null` or left out: none.',
  'collections[].keywords':
    'Words of a message that speak for this collection where the probe found nothing.',
  'collections[].thresholds': {
    text: 'Least cosine of a hit, -1 to 1, by the id of the embedder. It comes before the default of the embedder and the calibration.',
    examples: [{ minilm: 0.42 }],
  },
  'collections[].store': {
    text: 'Where the vectors are. Left out: in the own store of the workspace. Stores on servers are off until you trust the workspace.',
    snippets: [
      {
        label: 'Qdrant',
        description: 'Vectors on a Qdrant server',
        body: { kind: 'qdrant', url: 'http://127.0.0.1:6333', collection: '$1' },
      },
      {
        label: 'pgvector',
        description: 'Vectors in PostgreSQL',
        body: { kind: 'pgvector', urlEnv: 'DATABASE_URL', table: '$1' },
      },
    ],
  },
  'collections[].store.kind':
    'Which store. `local`: the own one. `file`: JSON lines of text and vector. `lancedb`, `qdrant`, `pgvector`: a store of that kind.',
  'collections[].store.path':
    'Path of the file with the vectors, from the folder of the workspace.',
  'collections[].store.uri': 'Folder or address of the LanceDB database.',
  'collections[].store.table': 'Name of the table.',
  'collections[].store.url': {
    text: 'Address of the server.',
    examples: ['http://127.0.0.1:6333'],
  },
  'collections[].store.collection': 'Name of the collection on the server.',
  'collections[].store.keyEnv': `${VARIABLE} that holds the key of the server; the key itself stands nowhere.`,
  'collections[].store.urlEnv': `${VARIABLE} that holds the connection string.`,
  'collections[].store.existing':
    'An index that somebody else made: where its fields are. It is searched, and never written.',
  'collections[].store.existing.text': {
    text: 'Field of the text; nested ones with dots.',
    examples: ['metadata.text'],
  },
  'collections[].store.existing.vector':
    'Field, column or named vector. Left out: in Qdrant, the one vector without a name.',
  'collections[].store.existing.file':
    'Field that names the document. Left out: the id of the record.',
  'collections[].store.existing.dimensions': 'Numbers of a vector, 1 to 65536.',
  'collections[].store.existing.embedder': 'Id of the embedder that the vectors were made with.',
}

export const PERSONA_WORDS: Words = {
  '': 'A persona that a hit of a collection puts in force.',
  $schema: SCHEMA_WORD,
  name: 'Name of the persona, as collections call it.',
  title: 'Title, as people read it. Left out: the name.',
  instructions: 'What the agent is told while the persona is in force. Left out: nothing.',
}

export const QUERY_WORDS: Words = {
  '': 'One labelled query of the semantic probe: a message, and what should be found. Each line of the file is a JSON object.',
  id: 'Name of the query, for reports.',
  text: 'The message.',
  collection: 'Collection that should be hit first. `null`: none should be hit.',
  supplemental: 'Other collections that may be hit.',
  files: 'Files of the collection that answer the query, by their path below its folder.',
}
