package dev.idspring.neighbours.graphql;

import java.util.Locale;

import dev.idspring.InvalidSettingException;
import dev.idspring.autoconfigure.persistence.IdFormats;
import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import graphql.GraphQLContext;
import graphql.execution.CoercedVariables;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.schema.Coercing;
import graphql.schema.CoercingParseLiteralException;
import graphql.schema.CoercingParseValueException;
import graphql.schema.CoercingSerializeException;
import graphql.schema.GraphQLScalarType;

/**
 * Creates GraphQL scalars that write ids in their text form and read only that form. The
 * application must declare each scalar in the schema, and add it with a
 * {@code RuntimeWiringConfigurer}.
 *
 * @since 0.1.0
 */
public final class IdScalars {

	private final IdFormats formats;

	/**
	 * Create a factory of scalars.
	 * @param formats finds the text form of ids
	 */
	public IdScalars(IdFormats formats) {
		InvalidSettingException.requireGiven(IdScalars.class, "formats", formats);
		this.formats = formats;
	}

	/**
	 * Return a scalar for a record that has one component and is annotated with
	 * {@link dev.idspring.annotation.IdAsString @IdAsString}. The name of the scalar is
	 * the simple name of the record.
	 * @param type the type that resolvers return and accept
	 * @return the scalar
	 * @throws IllegalArgumentException if the type is not annotated or cannot hold ids,
	 * or its generator does not exist
	 */
	public GraphQLScalarType of(Class<?> type) {
		IdFormat format = this.formats.ofType(type);
		if (format == null) {
			throw new IllegalArgumentException(type.getTypeName() + " is not annotated with @IdAsString");
		}
		return scalar(type.getSimpleName(), format, type);
	}

	/**
	 * Return a scalar for the numbers of a generator.
	 * @param name the name of the scalar in the schema
	 * @param generator the name of the generator; resolvers return and accept its numbers
	 * as {@code Long}
	 * @return the scalar
	 * @throws IllegalArgumentException if the generator does not exist
	 */
	public GraphQLScalarType of(String name, String generator) {
		InvalidSettingException.requireGiven(IdScalars.class, "name", name);
		return scalar(name, this.formats.of(generator, Long.class, "scalar " + name), Long.class);
	}

	private static GraphQLScalarType scalar(String name, IdFormat format, Class<?> type) {
		return GraphQLScalarType.newScalar()
			.name(name)
			.description("Id of the generator '" + format.generatorName() + "' in its text form")
			.coercing(new IdCoercing(format, type))
			.build();
	}

	/**
	 * Writes and reads the ids of a scalar.
	 *
	 * @param format the text form of the ids
	 * @param type the Java type of the ids
	 */
	private record IdCoercing(IdFormat format, Class<?> type) implements Coercing<Object, String> {

		@Override
		public String serialize(Object result, GraphQLContext context, Locale locale) {
			try {
				return this.format.format(this.type.cast(result));
			}
			catch (ClassCastException | IllegalArgumentException ex) {
				throw new CoercingSerializeException(String.valueOf(ex.getMessage()), ex);
			}
		}

		@Override
		public Object parseValue(Object input, GraphQLContext context, Locale locale) {
			if (!(input instanceof String text)) {
				throw new CoercingParseValueException(
						this.format.mismatchMessage("of type " + input.getClass().getSimpleName()));
			}
			try {
				return this.format.parse(text);
			}
			catch (IllegalArgumentException ex) {
				throw new CoercingParseValueException(String.valueOf(ex.getMessage()), ex);
			}
		}

		@Override
		public Object parseLiteral(Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
			if (!(input instanceof StringValue text)) {
				throw new CoercingParseLiteralException(
						this.format.mismatchMessage("of type " + input.getClass().getSimpleName()));
			}
			try {
				return this.format.parse(String.valueOf(text.getValue()));
			}
			catch (IllegalArgumentException ex) {
				throw new CoercingParseLiteralException(String.valueOf(ex.getMessage()), ex);
			}
		}

		@Override
		public Value<?> valueToLiteral(Object input, GraphQLContext context, Locale locale) {
			return StringValue.of(String.valueOf(input));
		}

	}

}
