package dev.idspring.autoconfigure.persistence;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Method;
import java.util.Map;

import dev.idspring.annotation.GeneratedIds;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;

/**
 * Adds {@link GeneratedIds} to the settings of each Spring factory bean that builds a
 * Hibernate session factory, for JPA or for Hibernate's native API.
 */
final class SessionFactorySettings implements BeanPostProcessor, PriorityOrdered {

	/**
	 * The bean properties that contain the settings of a session factory: one for JPA,
	 * one for Hibernate's native API.
	 */
	private static final String[] PROPERTIES = { "jpaPropertyMap", "hibernateProperties" };

	private final ObjectProvider<GeneratedIds> ids;

	SessionFactorySettings(ObjectProvider<GeneratedIds> ids) {
		this.ids = ids;
	}

	/**
	 * Register this post-processor before others. Spring may build a session factory in
	 * order to create one of the others, and that factory needs the setting, too.
	 */
	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof FactoryBean) {
			for (String property : PROPERTIES) {
				if (isDeclaredBySpring(BeanUtils.getPropertyDescriptor(bean.getClass(), property))) {
					add(PropertyAccessorFactory.forBeanPropertyAccess(bean).getPropertyValue(property));
				}
			}
		}
		return bean;
	}

	/**
	 * Return whether a Spring class declares the getter of a property. A factory class of
	 * the application may have a property with the same name that cannot be read or
	 * changed.
	 */
	private static boolean isDeclaredBySpring(@Nullable PropertyDescriptor property) {
		Method getter = (property != null) ? property.getReadMethod() : null;
		return getter != null && getter.getDeclaringClass().getName().startsWith("org.springframework.orm.");
	}

	@SuppressWarnings("unchecked")
	private void add(@Nullable Object settings) {
		if (settings instanceof Map<?, ?> map) {
			((Map<Object, Object>) map).putIfAbsent(GeneratedIds.HIBERNATE_SETTING, this.ids.getObject());
		}
	}

}
