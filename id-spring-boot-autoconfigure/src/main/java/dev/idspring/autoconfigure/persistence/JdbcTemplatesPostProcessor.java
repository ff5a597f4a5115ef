package dev.idspring.autoconfigure.persistence;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.repository.support.JdbcRepositoryFactoryBean;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.jdbc.support.JdbcAccessor;

/**
 * Adds a separate callback to each Spring Data JDBC template whose {@code DataSource} is
 * known. This callback knows the {@code DataSource} through which the template inserts. A
 * callback bean cannot know it, because all templates share the bean, and Spring Data
 * does not tell the bean which template calls it.
 */
final class JdbcTemplatesPostProcessor implements BeanPostProcessor {

	private static final String CALLBACKS = "entityCallbacks";

	private static final String OPERATIONS = "entityOperations";

	private final ObjectProvider<GeneratedIdCallback> callback;

	private final Set<JdbcAggregateTemplate> templatesWithCallback = ConcurrentHashMap.newKeySet();

	JdbcTemplatesPostProcessor(ObjectProvider<GeneratedIdCallback> callback) {
		this.callback = callback;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof JdbcRepositoryFactoryBean<?, ?, ?> repositories) {
			repositories.addRepositoryFactoryCustomizer((factory) -> factory.addRepositoryProxyPostProcessor(
					(proxy, information) -> addRepository(AopProxyUtils.getSingletonTarget(proxy), information)));
		}
		return bean;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof JdbcAggregateTemplate template) {
			addCallback(template);
		}
		return bean;
	}

	/**
	 * Record the {@code DataSource} of a repository, and add a callback to its template.
	 * The template is not a bean if the application defines only the components of the
	 * template as beans.
	 */
	private void addRepository(@Nullable Object repository, RepositoryInformation information) {
		if (repository != null && readField(repository, OPERATIONS) instanceof JdbcAggregateOperations operations) {
			DataSource dataSource = dataSource(operations);
			if (dataSource != null && information.getCrudMethods().hasSaveMethod()) {
				this.callback.getObject().addRepository(information.getDomainType(), dataSource);
			}
			if (operations instanceof JdbcAggregateTemplate template) {
				addCallback(template);
			}
		}
	}

	private void addCallback(JdbcAggregateTemplate template) {
		DataSource dataSource = dataSource(template);
		if (dataSource == null || !this.templatesWithCallback.add(template)) {
			return;
		}
		if (readField(template, CALLBACKS) instanceof EntityCallbacks callbacks) {
			callbacks.addEntityCallback(this.callback.getObject().forDataSource(dataSource));
		}
		else {
			template.setEntityCallbacks(EntityCallbacks.create(this.callback.getObject().forDataSource(dataSource)));
		}
	}

	private static @Nullable Object readField(Object object, String name) {
		DirectFieldAccessor fields = new DirectFieldAccessor(object);
		return fields.isReadableProperty(name) ? fields.getPropertyValue(name) : null;
	}

	private static @Nullable DataSource dataSource(JdbcAggregateOperations operations) {
		return (SpringDataJdbc.jdbcOperations(operations) instanceof JdbcAccessor template) ? template.getDataSource()
				: null;
	}

}
