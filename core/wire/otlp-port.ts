/** The port that exporters of traces and logs send to where nothing is set. */
export const OTLP_PORT = 4318
