/** A small document in which there is something of everything. */
import { documentOf } from "./served.ts"

const json = (schema: unknown) => ({ content: { "application/json": { schema } } })

export const rich = documentOf(
  {
    "/pets/{id}": {
      summary: "Pets",
      servers: [
        { url: "https://{region}.example.com", variables: { region: { default: "eu", enum: ["eu", "us"] } } }
      ],
      parameters: [{ $ref: "#/components/parameters/id" }],
      get: {
        operationId: "get-pet",
        tags: ["pets", "all"],
        parameters: [
          { in: "query", name: "filter", style: "deepObject", explode: true, schema: { type: "object" } },
          {
            in: "query",
            name: "tags[]",
            explode: false,
            schema: { type: "array", items: { type: "string" } }
          },
          {
            in: "query",
            name: "where",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } }
          },
          { in: "header", name: "X-Tenant", schema: { type: "string", default: "main" } },
          { in: "cookie", name: "session", schema: { type: "string" } }
        ],
        responses: {
          200: json({ $ref: "#/components/schemas/Pet" }),
          404: { $ref: "#/components/responses/Missing" }
        }
      },
      put: {
        operationId: "put pet",
        deprecated: true,
        security: [{ key: [], token: [] }, {}],
        requestBody: { $ref: "#/components/requestBodies/Pet" },
        responses: { "2XX": json({ type: "array", items: { $ref: "#/components/schemas/Pet" } }), 204: {} }
      }
    },
    "/forms#one": {
      post: {
        requestBody: {
          required: true,
          content: {
            "application/x-www-form-urlencoded": {
              schema: { type: "object", properties: { a: { type: "array", items: { type: "integer" } } } },
              encoding: { a: { style: "pipeDelimited", explode: false } }
            }
          }
        },
        responses: { default: { content: { "text/csv": { schema: { type: "string" } } } } }
      }
    },
    "/other": { $ref: "#/components/pathItems/other" }
  },
  {
    servers: [{ url: "https://example.com/v1/" }],
    security: [{ key: [] }],
    components: {
      parameters: { id: { in: "path", name: "id", required: true, schema: { type: "integer", minimum: 1 } } },
      pathItems: { other: { get: { description: "Other", responses: { 200: { description: "ok" } } } } },
      requestBodies: {
        Pet: { required: true, ...json({ oneOf: [{ $ref: "#/components/schemas/Pet" }, { type: "null" }] }) }
      },
      responses: { Missing: json({ type: "object" }) },
      securitySchemes: {
        key: { type: "apiKey", in: "query", name: "api_key" },
        token: { type: "http", scheme: "bearer" }
      },
      schemas: {
        Pet: {
          type: "object",
          required: ["id", "name"],
          discriminator: { propertyName: "kind" },
          properties: {
            id: { type: "integer", readOnly: true },
            name: { type: "string", minLength: 1, pattern: "^[a-z]+$" },
            secret: { type: "string", writeOnly: true },
            kind: { enum: ["cat", "dog"], nullable: true },
            parent: { $ref: "#/components/schemas/Pet", description: "Its parent" },
            owner: { allOf: [{ $ref: "#/components/schemas/Owner" }], nullable: true },
            extra: { type: "object", additionalProperties: { type: ["number", "null"], exclusiveMinimum: 0 } }
          }
        },
        Owner: { $ref: "#/components/schemas/Person" },
        Person: {
          type: "object",
          properties: {
            pets: { type: "array", items: { $ref: "#/components/schemas/Pet/properties/parent" } }
          }
        }
      }
    }
  }
)
