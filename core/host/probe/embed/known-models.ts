/** A file of a model at its revision. */
export interface ModelFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** A model that can be fetched. */
export interface KnownModel {
  /** As the hub calls it. */
  readonly model: string
  /** Commit: what it holds cannot change. */
  readonly revision: string
  readonly title: string
  readonly licence: string
  readonly files: readonly ModelFile[]
  /** What the hub's files do not say; written beside them, as sentence-transformers does. */
  readonly pooling: 'mean' | 'first'
  readonly limit: number
}

/**
 * [D25] Sentence models of the public hub, pinned by commit. Sizes and SHA-256 are those that several
 * independent public projects pin for these commits; they were not fetched where this was written. A
 * file that differs is refused, whoever is wrong. None has a measured threshold: measure it (probe lab).
 */
export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    model: 'Xenova/bge-small-en-v1.5',
    revision: 'ea104dacec62c0de699686887e3f920caeb4f3e3',
    title: 'BGE small (English, 34 MB)',
    licence: 'MIT',
    pooling: 'first',
    limit: 512,
    files: [
      {
        path: 'config.json',
        bytes: 683,
        sha256: 'fa73f90bf92c8cace1fbcb709626306f2bdbc9ea3e5b5f94b440df9b6aa56350',
      },
      {
        path: 'tokenizer_config.json',
        bytes: 366,
        sha256: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
      },
      {
        path: 'tokenizer.json',
        bytes: 711_396,
        sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
      },
      {
        path: 'onnx/model_quantized.onnx',
        bytes: 34_014_426,
        sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
      },
    ],
  },
  {
    model: 'Xenova/paraphrase-multilingual-MiniLM-L12-v2',
    revision: '2c4055b12046f11709e9df2c122e59ffbdc2f900',
    title: 'MiniLM L12, 50 languages (135 MB)',
    licence: 'Apache-2.0',
    pooling: 'mean',
    limit: 128,
    files: [
      {
        path: 'config.json',
        bytes: 673,
        sha256: '05b570bff786faa5c4604152aa16f19f77ed6dfc31e47dd0f3dd987078693ac7',
      },
      {
        path: 'tokenizer_config.json',
        bytes: 496,
        sha256: '3f5961b9ac86288cccdb97f32fb848d6187c78e1603958c53f3ea1f296b7d8a2',
      },
      {
        path: 'tokenizer.json',
        bytes: 17_082_913,
        sha256: 'b60b6b43406a48bf3638526314f3d232d97058bc93472ff2de930d43686fa441',
      },
      {
        path: 'onnx/model_quantized.onnx',
        bytes: 118_308_126,
        sha256: '66fc00f5f29afcaff34092e1bdd20008ca3918265a82fb9695a551e510cc4ebc',
      },
    ],
  },
  {
    model: 'Xenova/all-MiniLM-L6-v2',
    revision: '751bff37182d3f1213fa05d7196b954e230abad9',
    title: 'all-MiniLM-L6-v2 in full precision (91 MB)',
    licence: 'Apache-2.0',
    pooling: 'mean',
    limit: 256,
    files: [
      {
        path: 'config.json',
        bytes: 650,
        sha256: '7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7',
      },
      {
        path: 'tokenizer_config.json',
        bytes: 366,
        sha256: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
      },
      {
        path: 'tokenizer.json',
        bytes: 711_661,
        sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
      },
      {
        path: 'onnx/model.onnx',
        bytes: 90_387_606,
        sha256: '759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e',
      },
    ],
  },
]
