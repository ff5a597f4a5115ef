package dev.idspring.autoconfigure;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.monitor.ManagedIdGenerator;
import org.springframework.boot.util.LambdaSafe;

/**
 * Has customizers change what the properties say, and keeps the key spaces of generators
 * apart, whoever named them.
 */
final class GeneratorBuilders {

	private final GeneratorPropertiesBinder binder;

	private final List<IdGeneratorBuilderCustomizer<?>> customizers;

	private final ConcurrentMap<String, ManagedIdGenerator.Builder> byKeySpace = new ConcurrentHashMap<>();

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
	<B extends ManagedIdGenerator.Builder> B finish(B builder) {
		LambdaSafe.callbacks(IdGeneratorBuilderCustomizer.class, this.customizers, builder)
			.withLogger(GeneratorBuilders.class)
			.invoke((customizer) -> customize(customizer, builder));
		verifyUsable(builder);
		verifyNotShared(builder);
		return builder;
	}

	private static <B extends ManagedIdGenerator.Builder> void customize(IdGeneratorBuilderCustomizer<B> customizer,
			B builder) {
		try {
			customizer.customize(builder);
		}
		catch (InvalidSettingException ex) {
			throw new IdSetupException("An IdGeneratorBuilderCustomizer of id generator '" + builder.name()
					+ "' uses a wrong setting: " + ex.getMessage() + ".", "Correct the customizer.", ex);
		}
	}

	private void verifyUsable(ManagedIdGenerator.Builder builder) {
		if (!builder.keySpaceName().matches("[!-~]([ -~]{0,98}[!-~])?")) {
			throw new IdSetupException(
					"The key space of id generator '" + builder.name() + "' is '" + builder.keySpaceName() + "', by "
							+ origin(builder) + ".",
					"Use 1 to 100 printable ASCII characters.", List.of(keySpaceProperty(builder)), null);
		}
	}

	private void verifyNotShared(ManagedIdGenerator.Builder builder) {
		ManagedIdGenerator.Builder other = this.byKeySpace.putIfAbsent(builder.keySpaceName(), builder);
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

	private String user(ManagedIdGenerator.Builder builder) {
		return "'" + builder.name() + "' (" + builder.strategy() + ") by " + origin(builder);
	}

	private String origin(ManagedIdGenerator.Builder builder) {
		if (this.binder.value(keySpaceProperty(builder)).filter(builder.keySpaceName()::equals).isPresent()) {
			return keySpaceProperty(builder);
		}
		return builder.keySpaceName().equals(builder.name()) ? "its name" : "a customizer";
	}

	private static String keySpaceProperty(ManagedIdGenerator.Builder builder) {
		return GeneratorPropertiesBinder.prefix(builder.name()) + ".key-space";
	}

}
