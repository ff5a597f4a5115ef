package dev.idspring.autoconfigure;

import java.util.Objects;

import javax.sql.DataSource;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionMessage.Style;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if there is a {@code DataSource}, marked or not. {@link ConditionalOnBean} does
 * not find marked ones, because they are not default candidates.
 */
final class OnDataSource extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConfigurableListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
		ConditionMessage.Builder message = ConditionMessage.forCondition("DataSource for ids");
		for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false)) {
			if (isCandidate(beans, name) || beans.findAnnotationOnBean(name, IdsDataSource.class, false) != null) {
				return ConditionOutcome.match(message.found("bean").items(Style.QUOTE, name));
			}
		}
		return ConditionOutcome.noMatch(message.because("there is no DataSource bean"));
	}

	private static boolean isCandidate(ConfigurableListableBeanFactory beans, String name) {
		try {
			BeanDefinition definition = beans.getMergedBeanDefinition(name);
			return definition.isAutowireCandidate()
					&& !(definition instanceof AbstractBeanDefinition type && !type.isDefaultCandidate());
		}
		catch (NoSuchBeanDefinitionException ex) {
			// registered programmatically as a singleton
			return true;
		}
	}

}
