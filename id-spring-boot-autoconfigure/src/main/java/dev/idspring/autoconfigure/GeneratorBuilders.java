package dev.idspring.autoconfigure;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.idspring.IdSetupException;
import dev.idspring.monitor.IdGeneratorBuilder;
import org.springframework.boot.util.LambdaSafe;

/**
 * Has customizers change what the properties say, and keeps the key spaces of generators
 * apart, whoever named them.
 */
final class GeneratorBuilders {

	private final GeneratorPropertiesBinder binder;

	private final List<IdGeneratorBuilderCustomizer<?>> customizers;

	private final ConcurrentMap<String, IdGeneratorBuilder<?>> byKeySpace = new ConcurrentHashMap<>();

	GeneratorBuilders(GeneratorPropertiesBinder binder, List<IdGeneratorBuilderCustomizer<?>> customizers) {
		this.binder = binder;
		this.customizers = customizers;
	}

	/**
	 * Do what remains to be done before a generator is opened.
	 * @param builder says what the properties say
	 * @return the same one
	 */
	@SuppressWarnings("unchecked")
	<B extends IdGeneratorBuilder<?>> B finish(B builder) {
		LambdaSafe.callbacks(IdGeneratorBuilderCustomizer.class, this.customizers, builder)
			.withLogger(GeneratorBuilders.class)
			.invoke((customizer) -> customizer.customize(builder));
		verifyUsable(builder);
		verifyNotShared(builder);
		return builder;
	}

	private void verifyUsable(IdGeneratorBuilder<?> builder) {
		if (!builder.keySpaceName().matches("[!-~]([ -~]{0,98}[!-~])?")) {
			throw new IdSetupException("The key space of id generator '" + builder.name() + "' is '"
					+ builder.keySpaceName() + "', by " + origin(builder) + ".",
					"Use 1 to 100 printable ASCII characters.");
		}
	}

	private void verifyNotShared(IdGeneratorBuilder<?> builder) {
		IdGeneratorBuilder<?> other = this.byKeySpace.putIfAbsent(builder.keySpaceName(), builder);
		// the same one again: a lazy bean whose first creation failed
		if (other != null && !other.name().equals(builder.name())) {
			throw new IdSetupException(
					"Two id generators use the key space '" + builder.keySpaceName() + "': " + user(other) + ", and "
							+ user(builder) + ".",
					"Set " + keySpaceProperty(builder) + " to another name, or inject generator '" + other.name()
							+ "' in both places.");
		}
	}

	private String user(IdGeneratorBuilder<?> builder) {
		return "'" + builder.name() + "' (" + builder.strategy() + ") by " + origin(builder);
	}

	private String origin(IdGeneratorBuilder<?> builder) {
		if (this.binder.value(builder.name(), "key-space").filter(builder.keySpaceName()::equals).isPresent()) {
			return keySpaceProperty(builder);
		}
		return builder.keySpaceName().equals(builder.name()) ? "its name" : "a customizer";
	}

	private static String keySpaceProperty(IdGeneratorBuilder<?> builder) {
		return GeneratorPropertiesBinder.prefix(builder.name()) + ".key-space";
	}

}
