package dev.idspring.autoconfigure;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.JdbcDatabase.ColumnType;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.text.TextSettings;
import dev.idspring.time.TimeScheme;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * A configured generator, for use by the module {@code id-spring-boot-tools}. No bean is
 * created until the generator is {@linkplain #open opened}.
 *
 * @since 0.1.0
 */
public final class GeneratorDefinition {

	private final GeneratorPropertiesBinder binder;

	private final String name;

	private GeneratorDefinition(GeneratorPropertiesBinder binder, String name) {
		this.binder = binder;
		this.name = name;
	}

	/**
	 * Find the generator that an option of a command names.
	 * @param environment the environment with the properties of the generators
	 * @param wanted the value of the option, or {@code null} if it is not set
	 * @param option the full name of the option
	 * @return the definition of the generator
	 * @throws IdSetupException if the option is not set, or if there is no such generator
	 */
	public static GeneratorDefinition of(Environment environment, @Nullable String wanted, String option) {
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(environment);
		return new GeneratorDefinition(binder, binder.requireName(wanted, option));
	}

	/**
	 * Return the definition of the default generator.
	 * @param environment the environment with the properties of the generators
	 * @return the definition
	 */
	public static GeneratorDefinition ofDefault(Environment environment) {
		return new GeneratorDefinition(new GeneratorPropertiesBinder(environment),
				GeneratorPropertiesBinder.DEFAULT_NAME);
	}

	/**
	 * Return the name of the generator.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the properties of the generator.
	 * @return the properties, including those that it inherits
	 */
	public GeneratorProperties properties() {
		return this.binder.bind(this.name);
	}

	/**
	 * Return the full name under which a property of the generator is set. If the
	 * property is not set, return the result of {@link #ownProperty}.
	 * @param property the name of the property, relative to the prefix of the generator
	 * @return the full name
	 */
	public String property(String property) {
		return this.binder.property(this.name, property);
	}

	/**
	 * Return the full name under which a property can be set for this generator itself.
	 * @param property the name of the property, relative to the prefix of the generator
	 * @return the full name
	 */
	public String ownProperty(String property) {
		return GeneratorPropertiesBinder.ownProperty(this.name, property);
	}

	/**
	 * Return whether each tenant, or other scope, has its own numbers.
	 * @return {@code true} if the numbers have scopes
	 */
	public boolean isScoped() {
		return this.binder.isScoped(this.name);
	}

	/**
	 * Return the name of the key space, the record of reserved ids in the store.
	 * @return the name
	 */
	public String keySpace() {
		return properties().keySpaceOf(this.name);
	}

	/**
	 * Return the generators of this application that use the same key space as this
	 * generator.
	 * @return the names of the generators, including this one
	 */
	public List<String> sharingKeySpace() {
		String keySpace = keySpace();
		return Stream.concat(Stream.of(GeneratorPropertiesBinder.DEFAULT_NAME), this.binder.names().stream())
			.distinct()
			.filter((other) -> other.equals(this.name) || this.binder.bind(other).keySpaceOf(other).equals(keySpace))
			.sorted()
			.toList();
	}

	/**
	 * Return the settings for the text form of the ids.
	 * @return the settings
	 */
	public TextSettings text() {
		return new TextProperties(this.binder, this.name).settings();
	}

	/**
	 * Return the layout of the ids. The generator must be time-based.
	 * @param now the current time, which the layout must be able to represent
	 * @return the layout
	 */
	public TimeScheme times(Instant now) {
		return new TimeSettings(this.binder, this.name).scheme(now, false);
	}

	/**
	 * Return the threshold below which the key space counts as low.
	 * @return the threshold
	 */
	public LowThreshold lowThreshold() {
		return this.binder.lowThreshold(this.name, properties().health());
	}

	/**
	 * Translate the exception for an invalid setting into one that names the property of
	 * that setting.
	 * @param ex the exception for the setting
	 * @return the exception that names the property
	 */
	public IdSetupException explain(InvalidSettingException ex) {
		return this.binder.explain(this.name, properties().strategy(), ex);
	}

	/**
	 * Translate the exception for an invalid setting that does not belong to a generator.
	 * @param ex the exception for the setting
	 * @param prefix the prefix of the property's name, including the dot
	 * @return the exception that names the property
	 */
	public static IdSetupException explain(InvalidSettingException ex, String prefix) {
		return GeneratorPropertiesBinder.explain(ex, prefix);
	}

	/**
	 * Open this generator. If its bean has the name that the starter gives it, no other
	 * generator is opened. Otherwise other generators are opened too, to find this one.
	 * @param beans the bean factory of the application
	 * @return the generator
	 * @throws IllegalArgumentException if the numbers of the generator have scopes
	 */
	public IdGenerator open(BeanFactory beans) {
		String bean = this.name.equals(GeneratorPropertiesBinder.DEFAULT_NAME) ? GeneratorInjection.DEFAULT_BEAN
				: IdGeneratorRegistrar.beanName(this.name);
		return (beans.containsBean(bean) && beans.isTypeMatch(bean, IdGenerator.class))
				? beans.getBean(bean, IdGenerator.class) : beans.getBean(IdGenerators.class).get(this.name);
	}

	/**
	 * Verify that a column is wide enough for all ids. The generator must have been
	 * opened.
	 * @param beans the bean factory of the application
	 * @param place the name of the column in messages
	 * @param type the type of the column
	 * @param storesText whether the column stores ids in their text form rather than as
	 * numbers
	 * @return {@code false} if the ids are not known, because the application defines the
	 * generator itself
	 * @throws IdSetupException if the column is too narrow
	 */
	public boolean verifyWidth(ConfigurableListableBeanFactory beans, String place, ColumnType type,
			boolean storesText) {
		IdGeneratorFactory factory = IdGeneratorFactory.findCreated(beans);
		return factory != null && new EntityColumns(factory, null).verifyWidth(this.name, place, type, storesText);
	}

}
