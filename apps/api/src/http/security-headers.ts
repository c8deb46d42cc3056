import type { NextFunction, Request, Response } from 'express';

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Answers carry the content of windows.
  'Cache-Control': 'no-store',
};

/** Headers of every answer: nothing is cached, framed, sniffed or loaded from elsewhere. */
export function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set(HEADERS);
  next();
}
