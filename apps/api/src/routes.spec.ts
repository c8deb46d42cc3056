import 'reflect-metadata';
import { ROUTES } from '@holdfast/contracts';
import { RequestMethod } from '@nestjs/common';
import { API_CONTROLLERS } from './api-module';
import { type Access, ACCESS_METADATA } from './auth/scopes';
import { methodsOf } from './problems/routes-of-path';

interface Handler {
  readonly name: string;
  readonly route: string;
  readonly access: Access | undefined;
}

function handlers(): Handler[] {
  return API_CONTROLLERS.flatMap((controller) => {
    const prototype: object = controller.prototype;
    const prefix = String(Reflect.getMetadata('path', controller));
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
      if (typeof handler !== 'function' || name === 'constructor') return [];
      const path: unknown = Reflect.getMetadata('path', handler);
      if (typeof path !== 'string') return [];
      const method = RequestMethod[Reflect.getMetadata('method', handler) as number] ?? '';
      const parts = [prefix, path].flatMap((part) => part.split('/')).filter((part) => part !== '');
      const template = parts.map((part) => (part.startsWith(':') ? `{${part.slice(1)}}` : part)).join('/');
      return [
        {
          name: `${controller.name}.${name}`,
          route: `${method.toLowerCase()} /${template}`,
          access: Reflect.getMetadata(ACCESS_METADATA, handler) as Access | undefined,
        },
      ];
    });
  });
}

describe('routes', () => {
  it('each say whom they are for', () => {
    expect(handlers().filter(({ access }) => access === undefined || access.length === 0)).toEqual([]);
  });

  it('are those of the contracts, with their scopes', () => {
    const served = handlers().map(({ route, access }) => [route, access]);
    const promised = ROUTES.map(({ method, path, access }) => [`${method} ${path}`, access]);
    expect(served.sort()).toEqual(promised.sort());
  });

  it('know the methods of a path', () => {
    expect(methodsOf('/v1/agents/bot')).toEqual(['put', 'get']);
    expect(methodsOf('/v1/agents/bot/sessions/a%2Fb/windows')).toEqual(['get']);
    expect(methodsOf('/v1/agents/bot/')).toEqual(['put', 'get']);
    expect(methodsOf('/v2/agents')).toEqual([]);
    expect(methodsOf('/openapiXjson')).toEqual([]);
  });
});
