package dev.idspring.autoconfigure;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.monitor.IdGeneratorBuilder;
import org.springframework.boot.util.LambdaSafe;

/**
 * Has customizers change what the properties say, and keeps the key spaces of generators
 * apart, wherever they were named.
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
			.invoke((customizer) -> customize(customizer, builder));
		verifyNotShared(builder);
		return builder;
	}

	private static <B extends IdGeneratorBuilder<?>> void customize(IdGeneratorBuilderCustomizer<B> customizer,
			B builder) {
		try {
			customizer.customize(builder);
		}
		catch (InvalidSettingException ex) {
			throw new IdSetupException("An IdGeneratorBuilderCustomizer of id generator '" + builder.name()
					+ "' uses a wrong setting: " + ex.getMessage() + ".", "Correct the customizer.", ex);
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
							+ "' in both places.",
					List.of(keySpaceProperty(other), keySpaceProperty(builder)), null);
		}
	}

	private String user(IdGeneratorBuilder<?> builder) {
		return "'" + builder.name() + "' (" + builder.strategy() + ") by " + origin(builder);
	}

	private String origin(IdGeneratorBuilder<?> builder) {
		if (this.binder.value(keySpaceProperty(builder)).filter(builder.keySpaceName()::equals).isPresent()) {
			return keySpaceProperty(builder);
		}
		return builder.keySpaceName().equals(builder.name()) ? "its name" : "a customizer";
	}

	private static String keySpaceProperty(IdGeneratorBuilder<?> builder) {
		return GeneratorPropertiesBinder.prefix(builder.name()) + ".key-space";
	}

}
